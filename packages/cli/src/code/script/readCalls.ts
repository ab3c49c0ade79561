/** How a call of an SDK names its variable. */
export interface ReadCall {
  /** Where the key can stand among the arguments. Server SDKs of one call have the user first, client SDKs do not. */
  readonly positions: readonly number[]
  /** Whether other libraries have functions of this name, too. */
  readonly isCommon: boolean
  /** What the call returns: the value of the variable, an object with it as `value`, or neither. */
  readonly returns: 'value' | 'object' | 'other'
}

const kinds = ['Boolean', 'String', 'Number', 'Object'] as const

function call(returns: ReadCall['returns'], positions: readonly number[], isCommon = false): ReadCall {
  return { positions, isCommon, returns }
}

/** The calls of SDKs that read one variable, by name. */
export const readCalls: ReadonlyMap<string, ReadCall> = new Map([
  // OpenFeature
  ...kinds.flatMap((kind): [string, ReadCall][] => [
    [`get${kind}Value`, call('value', [0])],
    [`get${kind}Details`, call('object', [0])],
    [`use${kind}FlagValue`, call('value', [0])],
    [`use${kind}FlagDetails`, call('object', [0])]
  ]),
  ['useFlag', call('object', [0], true)],
  // Burgee, in the process
  ['resolve', call('object', [1], true)],
  ['explain', call('object', [1], true)],
  // Existing SDKs, and Burgee in the process
  ['variable', call('object', [0, 1], true)],
  ['variableValue', call('value', [0, 1])],
  ['useVariable', call('object', [0], true)],
  ['useVariableValue', call('value', [0])],
  ['getVariableValue', call('value', [0])],
  ['renderIfEnabled', call('other', [0])]
])

/** Decorators of OpenFeature for NestJS, which take an object with the key. */
export const readDecorators: ReadonlySet<string> = new Set([
  ...kinds.map((kind) => `${kind}FeatureFlag`),
  'RequireFlagsEnabled'
])

/** The component of OpenFeature for React. */
export const FLAG_COMPONENT = 'FeatureFlag'

/** Whether imports from a module are those of an SDK. */
export function isSdk(module: string): boolean {
  return /^(@openfeature|@burgee|@devcycle)\//.test(module)
}
