! A state called from Fortran.
program chain
  use, intrinsic :: iso_c_binding
  implicit none

  interface
    function spring_chain_create() bind(c) result(state)
      import :: c_ptr
      type(c_ptr) :: state
    end function
    function spring_chain_set(state, argument, value) bind(c) result(code)
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: state, value
      character(kind=c_char), intent(in) :: argument(*)
      integer(c_int) :: code
    end function
    function spring_chain_get(state, argument, value) bind(c) result(code)
      import :: c_ptr, c_char, c_int
      type(c_ptr), value :: state, value
      character(kind=c_char), intent(in) :: argument(*)
      integer(c_int) :: code
    end function
    function spring_chain_run(state, hooks) bind(c) result(code)
      import :: c_ptr, c_int
      type(c_ptr), value :: state, hooks
      integer(c_int) :: code
    end function
    subroutine spring_chain_destroy(state) bind(c)
      import :: c_ptr
      type(c_ptr), value :: state
    end subroutine
  end interface

  type(c_ptr) :: state
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
  call spring_chain_destroy(state)
  print '(a)', "well"
end program
