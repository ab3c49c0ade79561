import { parseArgs } from 'node:util'

/** Parses the command line of a program, or ends it with a message about an unknown option. */
export function parseOptions(config) {
  try {
    return parseArgs(config)
  } catch (error) {
    return fail(`${error.message.replace(/\. To specify.*/s, '')}. See --help`)
  }
}

/** Returns the items with these names, separated by commas, or ends the program with a message about an unknown one. */
export function choose(items, names) {
  if (!names) return items
  const wanted = names.split(',')
  const known = items.map(({ name }) => name)
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) fail(`there is no "${unknown}"; there are ${known.join(', ')}`)
  return items.filter(({ name }) => wanted.includes(name))
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
