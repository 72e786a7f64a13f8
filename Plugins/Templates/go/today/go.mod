module __APP_ID__/widget

go 1.20
