/// Ends by a segmentation fault before it reads anything.
int main(void) {
  *(volatile int *)0 = 1;
  return 0;
}
