import type { CreateVariable, VariableType } from '@burgee/contract/schemas'
import { findTextProblem } from './jsonText.ts'

/** A value of a variable. */
export type VariableValue = NonNullable<CreateVariable['defaultValue']>

/** The value of a typed text, or the reason why it is invalid. */
export type ParsedValue = { readonly value: VariableValue } | { readonly problem: string }

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Reads a typed value. Numbers have a point, in any language of the browser. */
export function parseValue(type: VariableType, text: string): ParsedValue {
  switch (type) {
    case 'String':
      return { value: text }
    case 'Boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'Choose true or false.' }
    case 'Number':
      return parseNumber(text)
    case 'JSON':
      return parseJsonObject(text)
  }
}

function parseNumber(text: string): ParsedValue {
  const trimmed = text.trim()
  const value = Number(trimmed)
  if (!NUMBER.test(trimmed)) return { problem: 'Enter a number such as 12 or 0.5, with a point and without spaces.' }
  return Number.isFinite(value) ? { value } : { problem: 'The number is too large to be stored.' }
}

/** Parses a JSON object; reports the line of an error. */
export function parseJsonObject(text: string): ParsedValue {
  const problem = findTextProblem(text)?.text
  if (problem !== undefined) return { problem }
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'The value must be an object: { … }.' }
  }
  // An object that `JSON.parse` returns holds JSON only.
  return { value: value as VariableValue }
}

/** The text with which a value is edited. */
export function toText(value: VariableValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** The value in one line. */
export function toLine(value: VariableValue | undefined): string {
  if (value === undefined) return 'no value'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A warning about a typed number: the stored number differs from the text, or is not exact. */
export function numberWarning(text: string): string | undefined {
  const parsed = parseNumber(text)
  if ('problem' in parsed || typeof parsed.value !== 'number') return undefined
  if (Math.abs(parsed.value) > Number.MAX_SAFE_INTEGER) {
    return `Stored as ${parsed.value}: above 2^53 whole numbers are not exact.`
  }
  return isWrittenAlike(text, parsed.value) ? undefined : `Stored as ${parsed.value}.`
}

/** Whether only zeros at the ends, the sign or the exponent differ. */
function isWrittenAlike(text: string, value: number): boolean {
  const digits = (number: string) =>
    number
      .toLowerCase()
      .replace(/e.*$/, '')
      .replace(/[-+.]/g, '')
      .replace(/^0+|0+$/g, '')
  return digits(text.trim()) === digits(String(value))
}

/** The size of a JSON text as it is sent to applications, without spaces. */
export function jsonSize(text: string): string {
  const parsed = parseJsonObject(text)
  const bytes = new TextEncoder().encode('value' in parsed ? JSON.stringify(parsed.value) : text).length
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`
}
