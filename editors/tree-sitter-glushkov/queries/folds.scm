[
  (scheme)
  (data)
  (where)
  (dictionary)
  (definition)
  (if)
  (while)
  (for)
  (parallel)
  (branches)
  (lanes)
  (array)
  (launch)
  (timed)
  (recorded)
  (comment)+
] @fold
