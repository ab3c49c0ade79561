import type { Variable, VariableType } from '@burgee/contract/schemas'
import { obfuscatedKey } from '../../delivery/obfuscation/obfuscatedKeys.ts'
import { generateJsonTypes } from './generateJsonTypes.ts'
import { generateValueType } from './generateValueType.ts'
import { formatDocComment, formatLiteral, formatMemberName, indent } from './syntax.ts'

/** What the generated file contains. */
export interface FlagsFileOptions {
  /** The command that writes the file. */
  readonly command: string
  /** Whether OpenFeature's clients are told the keys too. */
  readonly openFeature: boolean
  /** Whether variables go by the keys that obfuscated client configs know them by. */
  readonly obfuscate: boolean
}

/** Generates a TypeScript file with the types of variables. Archived variables are left out. */
export function generateFlagsFile(
  variables: readonly Variable[],
  { command, openFeature, obfuscate }: FlagsFileOptions
): string {
  const flags = variables
    .filter(({ status }) => status === 'active')
    .map((variable) => toFlag(variable, obfuscate))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const members = flags.map(({ key, type, comment }) => `\n${comment}${formatMemberName(key)}: ${type}`)
  const parts = [
    `// Made by: ${command}\n// Do not edit. Run the command again when variables have changed.`,
    `/** The variables by key, and what their values are. */\nexport interface Flags {${indent(members.join(''))}\n}`,
    ...generateJsonTypes(flags.map(({ type }) => type).join('\n')),
    ...(openFeature ? [generateFlagKeys(flags)] : [])
  ]
  return `${parts.join('\n\n')}\n`
}

interface Flag {
  readonly key: string
  readonly kind: VariableType
  readonly type: string
  readonly comment: string
}

function toFlag(variable: Variable, obfuscate: boolean): Flag {
  const { _id, key, name, description, type: kind } = variable
  const told = description || (name === key ? '' : (name ?? ''))
  return {
    key: obfuscate ? obfuscatedKey(_id) : key,
    kind,
    type: generateValueType(variable),
    comment: formatDocComment(obfuscate ? [`\`${key}\``, told].filter(Boolean).join(': ') : told)
  }
}

/** Declarations that type the flag keys of OpenFeature clients by method. */
function generateFlagKeys(flags: readonly Flag[]): string {
  const lines = Object.entries(keyTypeNames).map(([kind, name]) => {
    const keys = flags.filter((flag) => flag.kind === kind).map(({ key }) => formatLiteral(key))
    return `  export type ${name} = ${keys.join(' | ') || 'never'}\n`
  })
  return `declare module '@openfeature/core' {\n${lines.join('')}}`
}

/** The names of OpenFeature's flag key types by variable type. */
const keyTypeNames: Readonly<Record<VariableType, string>> = {
  Boolean: 'BooleanFlagKey',
  String: 'StringFlagKey',
  Number: 'NumberFlagKey',
  JSON: 'ObjectFlagKey'
}
