! A state called from Fortran.
program chain
  use spring_chain_module
  implicit none

  type(c_ptr) :: state
  integer(c_int) :: code
  integer(c_int64_t), target :: m(4) = [1, 2, 3, 4]
  real(c_float), target :: shift(2) = [10.0, 20.0], at(2, 4)
  real(c_double), target :: x(4) = 0, total

  state = spring_chain_create()
  if (spring_chain_set(state, "m" // c_null_char, c_loc(m)) /= 0) stop 1
  if (spring_chain_set(state, "shift" // c_null_char, c_loc(shift)) /= 0) stop 2
  if (spring_chain_set(state, "x" // c_null_char, c_loc(x)) /= 0) stop 3
  if (spring_chain_run(state, c_null_ptr) /= 0) stop 4
  if (spring_chain_get(state, "at" // c_null_char, c_loc(at)) /= 0) stop 5
  if (spring_chain_get(state, "total" // c_null_char, c_loc(total)) /= 0) stop 6
  if (total /= 5 .or. at(1, 4) /= 13 .or. at(2, 1) /= 21) stop 7
  if (spring_chain_set(state, "y" // c_null_char, c_loc(x)) /= 2) stop 8
  x = 0
  code = spring_chain(4, 2, 0.5_c_double, 0.25_c_double, .false._c_bool, [1.0_c_double, 0.25_c_double], &
    m, shift, x, at, total, c_null_funptr, c_null_funptr, c_null_ptr)
  if (code /= 0 .or. total /= 5 .or. x(4) /= 2) stop 9
  call spring_chain_destroy(state)
  print '(a)', "well"
end program
