import { countBytes, startCountingSteps } from './count.mjs'

// Measures a part in a process of its own, and prints the costs as JSON. Arguments: the module, its export, the unit.
const [module, task, unit] = process.argv.slice(2)
const count = unit === 'steps' ? await startCountingSteps() : countBytes
const parts = await import(`./${module}.mjs`)
const costs = Object.entries(await parts[task](count)).map(([name, cost]) => [`${name}, ${unit}`, cost])
console.log(JSON.stringify(Object.fromEntries(costs)))
