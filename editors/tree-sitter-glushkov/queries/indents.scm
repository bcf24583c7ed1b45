[
  (data)
  (where)
  (dictionary)
  (given_data)
  (given_definitions)
  (given_entries)
  (given_operators)
  (definition)
  (entry)
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
] @indent.begin

[
  (ELSE)
  (END_IF)
  (END_OF_GIVEN)
  (END_OF_LOOP)
  (END_OF_DATA)
  (WHERE)
  (DICTIONARY)
  (END_OF_SCHEME)
  (END_OF_GRAPH)
  ")"
] @indent.branch
