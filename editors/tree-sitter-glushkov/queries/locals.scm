[
  (scheme)
  (definition)
  (if)
  (while)
  (for)
  (parallel)
  (branches)
  (lanes)
  (array)
  (launch)
] @local.scope

(given name: (name) @local.definition.var)
(declaration name: (name) @local.definition.var)
(local name: (name) @local.definition.var)
(shared name: (name) @local.definition.var)
(registers name: (name) @local.definition.var)
(array name: (name) @local.definition.var)
(for variable: (name) @local.definition.var)
(parallel variable: (name) @local.definition.var)
(lanes variable: (name) @local.definition.var)
(definition head: (phrase (arguments (name) @local.definition.parameter)))
(definition head: (predicate (arguments (name) @local.definition.parameter)))

(name) @local.reference
