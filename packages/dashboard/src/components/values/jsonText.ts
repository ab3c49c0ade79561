interface TextProblem {
  readonly offset: number
  readonly message: string
}

/** What a JSON text has where. Offsets count from 0. */
interface JsonText {
  /** The first place where the text is not JSON. */
  readonly problem?: TextProblem
  /** The first place that `JSON.parse` would change: a number that cannot be stored, or a repeated name. */
  readonly loss?: TextProblem
  /** Where values begin, by JSON pointer (RFC 6901), up to the problem. */
  readonly places: ReadonlyMap<string, number>
}

/** A string, a number, a word, or a mark. */
const TOKEN =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y
const SPACE = /[ \t\r\n]*/y

type Expected = 'value' | 'itemOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'end'

/** An object or a list that is not closed. */
interface Open {
  readonly closedBy: '}' | ']'
  readonly pointer: string
  index: number
  name: string
}

/** Finds the places of the values of a JSON text, and its problems. Browsers describe syntax errors differently. */
export function readJsonText(text: string): JsonText {
  const places = new Map<string, number>()
  const open: Open[] = []
  let expected: Expected = 'value'
  let offset = 0
  let loss: TextProblem | undefined
  const withLoss = () => (loss ? { loss } : {})
  const afterValue = (): Expected => (open.length > 0 ? 'commaOrEnd' : 'end')
  for (;;) {
    offset = match(SPACE, text, offset)?.end ?? offset
    const token = match(TOKEN, text, offset)
    const inside = open.at(-1)
    if (offset === text.length && expected === 'end') return { places, ...withLoss() }
    if (!token || !isExpected(token.text, expected, inside)) {
      return { places, problem: { offset, message: `expected ${describe(expected, inside)}` } }
    }
    if (token.text === inside?.closedBy && expected !== 'value') {
      open.pop()
      expected = afterValue()
    } else if (expected === 'name' || expected === 'nameOrEnd') {
      if (inside) inside.name = JSON.parse(token.text)
      expected = 'colon'
    } else if (expected === 'colon') {
      expected = 'value'
    } else if (expected === 'commaOrEnd') {
      if (inside) inside.index++
      expected = inside?.closedBy === '}' ? 'name' : 'value'
    } else {
      const pointer = inside
        ? `${inside.pointer}/${escapeStep(inside.closedBy === '}' ? inside.name : inside.index)}`
        : ''
      const message = places.has(pointer) ? `the name ${JSON.stringify(inside?.name)} is repeated` : lossOf(token.text)
      if (message !== undefined) loss ??= { offset, message }
      places.set(pointer, offset)
      if (token.text === '{') open.push({ closedBy: '}', pointer, index: 0, name: '' })
      if (token.text === '[') open.push({ closedBy: ']', pointer, index: 0, name: '' })
      if (token.text === '{') expected = 'nameOrEnd'
      else expected = token.text === '[' ? 'itemOrEnd' : afterValue()
    }
    offset = token.end
  }
}

/** The first problem of a text, with its line; `undefined` if it is JSON that `JSON.parse` reads unchanged. */
export function findTextProblem(text: string): { readonly offset: number; readonly text: string } | undefined {
  const { problem, loss } = readJsonText(text)
  const found = problem ?? loss
  return found && { offset: found.offset, text: `Line ${lineAt(text, found.offset)}: ${found.message}.` }
}

/** Why a token cannot be stored as it is; `undefined` if it can. */
function lossOf(token: string): string | undefined {
  if (!/^-?\d/.test(token)) return undefined
  const value = Number(token)
  if (!Number.isFinite(value)) return `the number ${token} is too large to be stored`
  if (!/^-?[1-9]\d*$/.test(token) || String(value) === token || BigInt(token) === BigInt(value)) return undefined
  return `${token} would be stored as ${value}: write it in quotes, as a string`
}

/** The number of the line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function match(pattern: RegExp, text: string, offset: number) {
  pattern.lastIndex = offset
  const found = pattern.exec(text)
  return found ? { text: found[0], end: pattern.lastIndex } : undefined
}

function isExpected(token: string, expected: Expected, inside: Open | undefined): boolean {
  const isEnd = token === inside?.closedBy
  switch (expected) {
    case 'value':
      return !/^[}\],:]$/.test(token)
    case 'itemOrEnd':
      return isEnd || !/^[}\],:]$/.test(token)
    case 'name':
      return token.startsWith('"')
    case 'nameOrEnd':
      return isEnd || token.startsWith('"')
    case 'colon':
      return token === ':'
    case 'commaOrEnd':
      return isEnd || token === ','
    case 'end':
      return false
  }
}

function describe(expected: Expected, inside: Open | undefined): string {
  switch (expected) {
    case 'value':
      return 'a value'
    case 'itemOrEnd':
      return 'a value or ]'
    case 'name':
      return 'a name in double quotes'
    case 'nameOrEnd':
      return 'a name in double quotes or }'
    case 'colon':
      return 'a colon'
    case 'commaOrEnd':
      return `a comma or ${inside?.closedBy}`
    case 'end':
      return 'the end of the text'
  }
}

function escapeStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1')
}
