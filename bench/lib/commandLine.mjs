import { parseArgs } from 'node:util'

/**
 * Parses the command line of a program, or ends it with a message about what is wrong. Besides those of `parseArgs`, an
 * option can have the type `number`, a whole number from its `least` (1 if omitted) to its `most` (if given); `numbers`,
 * a list of numbers above 0, separated by commas; or `counts`, such a list of whole numbers.
 */
export function parseOptions({ options, ...config }) {
  const texts = Object.entries(options).map(([name, { least, most, ...option }]) => {
    return [name, option.type in readers ? { ...option, type: 'string', ...defaultOf(option) } : option]
  })
  try {
    const parsed = parseArgs({
      args: joinNegative(process.argv.slice(2)),
      ...config,
      options: Object.fromEntries(texts)
    })
    for (const [name, option] of Object.entries(options)) {
      const text = parsed.values[name]
      if (option.type in readers && text !== undefined) parsed.values[name] = readers[option.type](name, text, option)
    }
    return parsed
  } catch (error) {
    return refuse(`${error.message.split(/\.? To specify|\n/)[0]}. See --help`)
  }
}

const readers = {
  number: (name, text, { least = 1, most }) => {
    if (/^\d+$/.test(text) && Number(text) >= least && !(Number(text) > most)) return Number(text)
    throw new Error(`--${name} must be a whole number from ${least}${most ? ` to ${most}` : ''}, not "${text}"`)
  },
  numbers: (name, text) => listOf(name, text, /^\d+(\.\d+)?$/, 'numbers'),
  counts: (name, text) => listOf(name, text, /^\d+$/, 'whole numbers')
}

function listOf(name, text, pattern, kind) {
  return text.split(',').map((item) => {
    if (pattern.test(item) && Number(item) > 0) return Number(item)
    throw new Error(`--${name} must be a list of ${kind} above 0, such as 1,2; "${item}" is not one`)
  })
}

/** Makes `--name -5` one argument, which is refused for its number: `parseArgs` takes -5 for an option. */
function joinNegative(args) {
  const joined = []
  for (const arg of args) {
    if (/^-\d/.test(arg) && /^--[^=]+$/.test(joined.at(-1))) joined.push(`${joined.pop()}=${arg}`)
    else joined.push(arg)
  }
  return joined
}

/** Defaults are written as numbers, and parsed as the texts of `parseArgs`. */
function defaultOf({ default: value }) {
  return value === undefined ? {} : { default: String(value) }
}

/** Returns the items with these names, separated by commas, or ends the program with a message about an unknown one. */
export function choose(items, names) {
  if (!names) return items
  const wanted = names.split(',')
  const known = items.map(({ name }) => name)
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) refuse(`there is no "${unknown}"; there are ${known.join(', ')}`)
  return items.filter(({ name }) => wanted.includes(name))
}

/** Ends the program with a message about its command line. */
export function refuse(message) {
  console.error(message)
  process.exit(2)
}
