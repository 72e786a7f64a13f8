/// Makes the statement of a root field.
package enum StatementBuilder {}
