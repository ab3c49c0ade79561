import { unkeepablePart } from '../keepable.ts'
import { show } from '../show.ts'

/** The deepest nesting that is kept. */
const MAX_DEPTH = 32

/** Whether a value has members that can be asked for by name. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is wrong with a value that no schema should have to look at; undefined where nothing is. `name` is what messages call it. */
export function brokenForm(value: unknown, name: string): string | undefined {
  return isDeep(value) ? `${name} should nest at most ${MAX_DEPTH} levels deep` : unkeepablePart(value, name)
}

/** A value of any depth as messages repeat it. */
export function showAny(value: unknown): string {
  return isDeep(value) ? 'a value that nests deeper than is looked at' : show(value)
}

function isDeep(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1))
}
