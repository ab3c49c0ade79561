/** What a cost covers, by the beginning of its name. The first that matches applies. */
const COVERAGE = [
  ['evaluator for browsers', 'the bundle of `compile` and its imports in packages/core, minified and compressed'],
  ['import of core', 'the modules of packages/core that `import "@burgee/core"` loads, with its dependencies'],
  ['core compile', '`JSON.parse` of the document of d1000, and `compile` of it in packages/core'],
  ['core recompile', '`recompile` in packages/core after a change of one feature of d1000'],
  ['core mix', 'one flag, ten rules, all of ten flags, and these as text: young code, with the optimizer (mix.mjs)'],
  ['core j100', '`variablesText` of packages/core for one user and 100 flags'],
  ['core d', '`resolveAll` of packages/core for one user and all flags of the workload'],
  ['core', '`variable` of packages/core for one user and one flag of the workload'],
  ['provider, change', 'a config with one changed feature of 1,000, from the source to the end of its event'],
  ['provider', 'one `resolveStringEvaluation` of packages/openfeature-provider, with reading the context'],
  ['server 100 events', 'one request of `POST /v1/events/batch` with 100 events, from the socket to the response'],
  [
    'server',
    'one request of the route in bench/http/routes.mjs, from the socket to the response, with its count and exposure'
  ]
]

const UNITS = {
  size: 'bytes or modules',
  steps: 'blocks of functions that V8 enters, of the packages and their dependencies, without Node.js itself',
  bytes: 'memory that a call allocates after a warm-up',
  instructions: 'instructions of the processor'
}

/** Returns what a cost covers, for the person whose change exceeds a budget. */
export function describe(name) {
  const [, covers] = COVERAGE.find(([start]) => name.startsWith(start)) ?? [undefined, 'a cost without a description']
  return `${covers}; counted in ${UNITS[name.split(', ').at(-1)]}`
}
