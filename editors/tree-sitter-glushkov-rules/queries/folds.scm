[
  (rule)
  (strategy)
  (group)
  (system)
  (ruleset)
  (comment)+
] @fold
