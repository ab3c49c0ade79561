import fc from 'fast-check'

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/**
 * Generates any Unicode character: the same as the unit `binary` of fast-check, which makes a table of all 1.1 million
 * in each process.
 */
export const character: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES), toIndex)

function toIndex(value: unknown): number {
  if (typeof value !== 'string' || !/^[^\ud800-\udfff]$/u.test(value)) throw new Error('this is not one character')
  const code = value.codePointAt(0) ?? 0
  return code < FIRST_SURROGATE ? code : code - SURROGATES
}
