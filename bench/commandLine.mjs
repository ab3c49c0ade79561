import { parseArgs } from 'node:util'

/**
 * Parses the command line of a program, or ends it with a message about what is wrong. Besides those of `parseArgs`, an
 * option can have the type `number`, a whole number from its `least` (1 if omitted), or `numbers`, a list of numbers
 * above 0, separated by commas.
 */
export function parseOptions({ options, ...config }) {
  const texts = Object.entries(options).map(([name, { least, ...option }]) => {
    return [name, option.type in readers ? { ...option, type: 'string', ...defaultOf(option) } : option]
  })
  try {
    const parsed = parseArgs({ ...config, options: Object.fromEntries(texts) })
    for (const [name, { type, least = 1 }] of Object.entries(options)) {
      const text = parsed.values[name]
      if (type in readers && text !== undefined) parsed.values[name] = readers[type](name, text, least)
    }
    return parsed
  } catch (error) {
    return fail(`${error.message.replace(/\. To specify.*/s, '')}. See --help`)
  }
}

const readers = {
  number: (name, text, least) => {
    if (/^\d+$/.test(text) && Number(text) >= least) return Number(text)
    throw new Error(`--${name} must be a whole number from ${least}, not "${text}"`)
  },
  numbers: (name, text) =>
    text.split(',').map((item) => {
      if (/^\d+(\.\d+)?$/.test(item) && Number(item) > 0) return Number(item)
      throw new Error(`--${name} must be a list of numbers above 0, such as 1,2; "${item}" is not one`)
    })
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
  if (unknown !== undefined) fail(`there is no "${unknown}"; there are ${known.join(', ')}`)
  return items.filter(({ name }) => wanted.includes(name))
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
