import type { Environment, Feature, UpdateFeature } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { toLine, type VariableValue } from '../../components/values/valueText.ts'
import { isSame } from '../../draft/structure.ts'

/** A variation as it is edited. A new one has no id until it is saved. */
export interface MatrixRow {
  readonly _id?: string
  readonly key: string
  readonly name: string
  readonly variables: Readonly<Record<string, VariableValue>>
}

/** The variations of a feature as they are edited. */
export interface Matrix {
  readonly variations: readonly MatrixRow[]
  /** Id of the variation that metrics compare the others with; the key of a new one. */
  readonly control: string
}

/** Identifies a row while its name and key change. */
export function rowId({ _id, key }: MatrixRow): string {
  return _id ?? key
}

/** The variations of a feature. */
export function toMatrix({ variations, controlVariation }: Feature): Matrix {
  const control = variations.find(({ key }) => key === controlVariation)
  return {
    variations: variations.map(({ _id, key, name, variables = {} }) => ({ _id, key, name, variables })),
    control: control?._id ?? ''
  }
}

/** The body that saves a matrix. */
export function toUpdate({ variations, control }: Matrix): UpdateFeature {
  return {
    variations: variations.map(({ variables, ...row }) => ({ ...row, variables: { ...variables } })),
    ...(control ? { controlVariation: control } : {})
  }
}

/** Returns the matrix with a row changed. */
export function withRow(matrix: Matrix, id: string, change: (row: MatrixRow) => MatrixRow): Matrix {
  return { ...matrix, variations: matrix.variations.map((row) => (rowId(row) === id ? change(row) : row)) }
}

/** Returns the matrix with a value changed. */
export function withValue(matrix: Matrix, id: string, variable: string, value: VariableValue): Matrix {
  return withRow(matrix, id, (row) => ({ ...row, variables: { ...row.variables, [variable]: value } }))
}

/** Returns the matrix without a row. The first row becomes the control if the control goes. */
export function withoutRow({ variations, control }: Matrix, id: string): Matrix {
  const kept = variations.filter((row) => rowId(row) !== id)
  const first = kept[0]
  return { variations: kept, control: control === id ? (first ? rowId(first) : '') : control }
}

/** Returns the matrix with a row one place further up (-1) or down (1). */
export function withRowMoved(matrix: Matrix, id: string, by: -1 | 1): Matrix {
  const from = matrix.variations.findIndex((row) => rowId(row) === id)
  const moved = matrix.variations[from]
  if (!moved || from + by < 0 || from + by >= matrix.variations.length) return matrix
  const others = matrix.variations.filter((row) => row !== moved)
  return { ...matrix, variations: [...others.slice(0, from + by), moved, ...others.slice(from + by)] }
}

/** Returns the keys of variables that rows of a draft give another value than its base, by row. */
export function changedValues(base: Matrix, draft: Matrix): ReadonlyMap<string, readonly string[]> {
  const before = new Map(base.variations.map((row) => [rowId(row), row.variables]))
  return new Map(
    draft.variations.map((row) => {
      const old = before.get(rowId(row)) ?? {}
      return [rowId(row), Object.keys(row.variables).filter((key) => !isSame(old[key], row.variables[key]))]
    })
  )
}

/** One difference between a draft and its base, in words. */
export interface MatrixChange {
  readonly id: string
  readonly title: string
  readonly before?: string
  readonly after?: string
}

/** Returns what saving a draft changes, in the order of the matrix. */
export function describeMatrixChanges(base: Matrix, draft: Matrix): readonly MatrixChange[] {
  const old = new Map(base.variations.map((row) => [rowId(row), row]))
  const kept = new Set(draft.variations.map(rowId))
  const changes = draft.variations.flatMap((row) => describeRow(old.get(rowId(row)), row))
  const removed = base.variations.filter((row) => !kept.has(rowId(row)))
  const order = (matrix: Matrix, others: ReadonlySet<string>) =>
    matrix.variations.map(rowId).filter((id) => others.has(id))
  const isReordered = !isSame(order(base, kept), order(draft, new Set(old.keys())))
  return [
    ...changes,
    ...removed.map(({ _id = '', name }) => ({ id: `removed:${_id}`, title: `Variation ${name} is removed` })),
    ...(isReordered ? [{ id: 'order', title: 'The order of the variations changes' }] : []),
    ...(base.control === draft.control
      ? []
      : [{ id: 'control', title: 'Control', before: nameOf(base, base.control), after: nameOf(draft, draft.control) }])
  ]
}

function describeRow(before: MatrixRow | undefined, row: MatrixRow): readonly MatrixChange[] {
  const id = rowId(row)
  if (!before) return [{ id, title: `Variation ${row.name} is added` }]
  const { name, variables } = before
  return [
    ...(name === row.name ? [] : [{ id: `${id}:name`, title: 'Name of the variation', before: name, after: row.name }]),
    ...(before.key === row.key
      ? []
      : [{ id: `${id}:key`, title: `Key of ${row.name}`, before: before.key, after: row.key }]),
    ...Object.entries(row.variables).flatMap(([key, value]) =>
      isSame(variables[key], value)
        ? []
        : [{ id: `${id}:${key}`, title: `${row.name} · ${key}`, before: toLine(variables[key]), after: toLine(value) }]
    )
  ]
}

function nameOf({ variations }: Matrix, id: string): string {
  return variations.find((row) => rowId(row) === id)?.name ?? 'none'
}

/** A target of an environment that serves a variation. */
export interface ServingTarget {
  readonly environment: Environment
  readonly target: string
  readonly isOn: boolean
}

/** Returns the targets that serve a variation, which therefore cannot be removed. */
export function servedBy(feature: Feature, id: string, environments: readonly Environment[]): readonly ServingTarget[] {
  return feature.configurations.flatMap(({ _environment, targets, status }) => {
    const environment = environments.find((each) => each._id === _environment)
    if (!environment) return []
    return targets
      .filter(({ distribution }) => distribution.some(({ _variation }) => _variation === id))
      .map(({ name, _id }) => ({ environment, target: name || _id, isOn: status === 'active' }))
  })
}

/** Returns the protected environments whose users get another value by saving a draft. */
export function affectedEnvironments(
  feature: Feature,
  { base, draft }: { readonly base: Matrix; readonly draft: Matrix },
  environments: readonly Environment[]
): readonly Environment[] {
  const changed = [...changedValues(base, draft)].filter(([, keys]) => keys.length > 0).map(([id]) => id)
  const serving = changed.flatMap((id) => servedBy(feature, id, environments).filter(({ isOn }) => isOn))
  return environments.filter(
    (environment) => isProtected(environment) && serving.some((each) => each.environment._id === environment._id)
  )
}

/**
 * Returns whether a protected environment serves values of a feature: it is on there, or OFREP answers with its off value.
 * Changing its values is publishing then.
 */
export function isServedInProtected(
  { configurations, sdkVisibility, variables, variations }: Feature,
  environments: readonly Environment[]
): boolean {
  const hasOffValue = variables.length > 0 && variations.length > 0 && Object.values(sdkVisibility ?? {}).includes(true)
  return environments.some((environment) => {
    const isOn = configurations.some(
      ({ _environment, status }) => _environment === environment._id && status === 'active'
    )
    const servesOffValue = hasOffValue && environment.settings?.ofrepOffValues === true
    return isProtected(environment) && (isOn || servesOffValue)
  })
}
