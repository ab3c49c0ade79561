import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@burgee/contract/schemas'
import { characterSequences, commonWords } from './commonPasswords.ts'

/** The owner of a password, whose name and address an attacker would try first. */
export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

/**
 * Validates a new password (NIST SP 800-63B, section 3.1.1.2). Returns issues that follow its name, for example `should
 * have at least …`; empty if the password is acceptable. Issues never repeat the password.
 */
export function validatePassword(password: string, owner: PasswordOwner): string[] {
  const { length } = password
  if (length < MIN_PASSWORD_LENGTH) return [`should have at least ${MIN_PASSWORD_LENGTH} characters, but has ${length}`]
  if (length > MAX_PASSWORD_LENGTH) return [`should have at most ${MAX_PASSWORD_LENGTH} characters, but has ${length}`]
  const { guesses, parts } = estimateGuesses(password, owner)
  if (guesses >= MIN_GUESSES) return []
  // Each kind of weakness is named once.
  const kinds = Object.keys(kindNames).filter((kind) => parts.has(kind as Kind)) as Kind[]
  return [`should not consist mostly of ${kinds.map((kind) => kindNames[kind]).join(' and ')}`]
}

/** The minimum number of guessing steps for a password. */
const MIN_GUESSES = 8

/** The predictable parts of passwords. */
type Kind = 'common' | 'owner' | 'sequence' | 'repetition'

const kindNames: Readonly<Record<Kind, string>> = {
  common: 'common words or years',
  owner: 'the name or e-mail address of its owner',
  sequence: 'sequences of characters',
  repetition: 'repetitions'
}

/** The steps that spell a prefix, the kind of the last step, and its start. */
interface Step {
  readonly guesses: number
  readonly from: number
  readonly kind?: Kind
}

/**
 * Returns the fewest steps that spell a password, and their kinds. A step is a character, a word of a list, a part of a
 * sequence, or a repetition of preceding characters.
 */
function estimateGuesses(password: string, owner: PasswordOwner) {
  const text = password.toLowerCase()
  const plain = withoutSubstitutes(text)
  const known = [...common, ...wordsOf(owner)]
  const steps: Step[] = [{ guesses: 0, from: 0 }]
  const addStep = (from: number, to: number, cost: number, kind?: Kind): void => {
    const guesses = (steps[from]?.guesses ?? 0) + cost
    const best = steps[to]
    if (!best || guesses < best.guesses) steps[to] = { guesses, from, ...(kind ? { kind } : {}) }
  }
  for (let at = 0; at < text.length; at++) {
    addStep(at, at + 1, 1)
    for (const { word, kind, cost } of known) if (plain.startsWith(word, at)) addStep(at, at + word.length, cost, kind)
    if (YEAR.test(text.slice(at, at + 4))) addStep(at, at + 4, 2, 'common')
    for (let end = at + sequenceAt(text, at); end >= at + MIN_MATCH; end--) addStep(at, end, 2, 'sequence')
    for (let end = at + repetitionAt(text, at); end >= at + MIN_MATCH; end--) addStep(at, end, 1, 'repetition')
  }
  const parts = new Set<Kind>()
  for (let at = text.length; at > 0; at = steps[at]?.from ?? 0) {
    const kind = steps[at]?.kind
    if (kind) parts.add(kind)
  }
  return { guesses: steps[text.length]?.guesses ?? 0, parts }
}

const YEAR = /^(19|20)\d\d$/

/** The shortest sequence or repetition that counts as one step. */
const MIN_MATCH = 3

/** `1` and `!` can stand for `i` and for `l`, so both letters are treated as one. */
const substitutes: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  '!': 'i',
  '1': 'i',
  '|': 'i',
  l: 'i',
  '5': 's',
  $: 's',
  '7': 't'
}

const common = commonWords.map((word) => ({ word: withoutSubstitutes(word), kind: 'common' as const, cost: 2 }))

/**
 * Returns the e-mail address of an owner, its local part, and their words and those of the name that are long enough
 * not to match by chance.
 */
function wordsOf({ email, name }: PasswordOwner) {
  const [local = ''] = email.split('@')
  const words = [email, local, name, ...`${email} ${name}`.split(/[^\p{L}\p{N}]+/u)]
  return words
    .filter((word) => word.length >= MIN_MATCH)
    .map((word) => ({ word: withoutSubstitutes(word.toLowerCase()), kind: 'owner' as const, cost: 1 }))
}

/** Maps lookalike characters to letters; the length stays the same. */
function withoutSubstitutes(text: string): string {
  return text.replace(/[@430!1|l5$7]/g, (character) => substitutes[character] ?? character)
}

const sequencesBothWays = characterSequences.flatMap((sequence) => [sequence, [...sequence].reverse().join('')])

/** The length of the sequence that starts at a position. */
function sequenceAt(text: string, at: number): number {
  const first = text.charAt(at)
  return Math.max(
    ...sequencesBothWays.map((sequence) => {
      const start = sequence.indexOf(first)
      return start < 0 ? 0 : lengthWhile((step) => text[at + step] === sequence[start + step], text.length - at)
    })
  )
}

/** The length of the repetition that starts at a position and repeats up to `MAX_PERIOD` preceding characters. */
function repetitionAt(text: string, at: number): number {
  let longest = 0
  for (let distance = 1; distance <= Math.min(at, MAX_PERIOD); distance++) {
    const length = lengthWhile((step) => text[at + step] === text[at + step - distance], text.length - at)
    longest = Math.max(longest, length)
  }
  return longest
}

const MAX_PERIOD = 32

function lengthWhile(holds: (step: number) => boolean, max: number): number {
  let length = 0
  while (length < max && holds(length)) length++
  return length
}
