import { resolved, type Schema } from './describeFlag.ts'
import type { OperationFlag } from './operationCommand.ts'

interface ExampleSource {
  /** The schema of the positional argument. */
  readonly positional: Schema | '' | undefined
  readonly flags: readonly OperationFlag[]
  readonly body: Schema | undefined
  readonly schemaOf: (flag: OperationFlag) => Schema
}

/** Returns the arguments of a call from the examples of the schemas: required flags, and every member of the example body. */
export function exampleArguments({ positional, flags, body, schemaOf }: ExampleSource): readonly string[] {
  const example = body && exampleOf(body)
  const members: Readonly<Record<string, unknown>> = isObject(example) ? example : {}
  const given = flags.flatMap((flag) => {
    if (flag.in === 'body') return flag.member in members ? flagArguments(flag, members[flag.member]) : []
    const value = exampleOf(schemaOf(flag)) ?? flag.choices?.[0] ?? 'key'
    // The profile has the demo project.
    const isProject = flag.in === 'params' && flag.flag === '--project' && value === 'demo'
    return flag.isRequired && !isProject ? flagArguments(flag, value) : []
  })
  const whole = example !== undefined && !isObject(example) ? ['--body', JSON.stringify(example)] : []
  return [...(positional ? [String(exampleOf(positional) ?? 'key')] : []), ...given, ...whole]
}

function exampleOf({ node, defs }: Schema): unknown {
  return resolved(node, defs).example
}

function flagArguments({ flag, kind, isList }: OperationFlag, value: unknown): readonly string[] {
  if (value === null) return ['--unset', flag.slice(2)]
  const values = isList && Array.isArray(value) ? value : [value]
  if (kind === 'secret') return [flag, `@${flag.slice(2)}.txt`]
  return values.flatMap((one) => [flag, kind === 'json' ? JSON.stringify(one) : String(one)])
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
