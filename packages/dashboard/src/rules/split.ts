import { MAX_VARIATIONS, type TargetInput } from '@burgee/contract/schemas'
import { formatHundredths, toFraction, WHOLE } from './percent.ts'

/** A variation and its share in the form of a split. */
export interface SplitRow {
  /** Key or id of the variation, as the API has it. */
  readonly variation: string
  /** The share in hundredths of a percent. */
  readonly hundredths: number
  /** The fraction of the API where hundredths cannot express it. Kept until the row changes. */
  readonly exact?: number
}

/** The variations that a target serves. Unless there are no rows, `hundredths` add up to 10,000. */
export interface Split {
  readonly rows: readonly SplitRow[]
  /** The variation that takes the difference when another share changes. */
  readonly balancing: string
  /** Present if the shares of the API did not add up to 1, and were scaled. */
  readonly isScaled?: true
}

/** A change of a split. */
export type SplitAction =
  | { readonly type: 'set'; readonly variation: string; readonly hundredths: number }
  | { readonly type: 'balance'; readonly variation: string }
  | { readonly type: 'even' }
  | { readonly type: 'only'; readonly variation: string }
  /** Adds a variation of the feature: at 0 while the feature is on in the environment; otherwise all shares even out. */
  | { readonly type: 'add'; readonly variation: string; readonly isOn: boolean }
  | { readonly type: 'remove'; readonly variation: string }
  /** Replaces the split by one variation for all users. */
  | { readonly type: 'serve'; readonly variation: string }

type Distribution = TargetInput['distribution']

/** The tolerance of the API for the sum of shares. */
const TOLERANCE = 0.0001

/** Returns the split after a change. Returns the same split if the change does not apply. */
export function reduceSplit(split: Split, action: SplitAction): Split {
  switch (action.type) {
    case 'set':
      return setShare(split, action.variation, action.hundredths)
    case 'balance':
      return hasVariation(split, action.variation) ? { ...split, balancing: action.variation } : split
    case 'even':
      return withHundredths(split, deal(split.rows.map(() => 1)))
    case 'only':
      return hasVariation(split, action.variation)
        ? withHundredths(
            split,
            split.rows.map(({ variation }) => (variation === action.variation ? WHOLE : 0))
          )
        : split
    case 'add':
      return addVariation(split, action.variation, action.isOn)
    case 'remove':
      return removeVariation(split, action.variation)
    case 'serve':
      return serveOne(action.variation)
  }
}

/** Creates a split that serves one variation to all users. */
export function serveOne(variation: string): Split {
  return { rows: [{ variation, hundredths: WHOLE }], balancing: variation }
}

/** Returns the variation that all users get, or undefined if the split has several shares above 0. */
export function soleVariation({ rows }: Split): string | undefined {
  const served = rows.filter(({ hundredths, exact = 0 }) => hundredths > 0 || exact > 0)
  return served.length === 1 ? served[0]?.variation : undefined
}

/** Returns the largest share, in hundredths of a percent, that a row can be set to. The balancing row has no limit. */
export function shareLimit(split: Split, variation: string): number {
  if (variation === split.balancing) return WHOLE
  const others = split.rows.filter((row) => row.variation !== variation && row.variation !== split.balancing)
  const displayed = WHOLE - others.reduce((sum, { hundredths }) => sum + hundredths, 0)
  // A sum of fractions such as 0.1 + 0.2 must not lower the limit by a hundredth.
  const exact = Math.floor((1 - others.reduce((sum, row) => sum + fractionOf(row), 0)) * WHOLE + 1e-6)
  return Math.max(0, Math.min(displayed, exact))
}

/**
 * Returns the sentence for a share beyond the limit, such as `at most 70%: B has 30%`, or undefined within it.
 * `nameOf` returns the name of a variation.
 */
export function limitMessage(
  split: Split,
  variation: string,
  hundredths: number,
  nameOf: (variation: string) => string
): string | undefined {
  const limit = shareLimit(split, variation)
  if (hundredths <= limit) return undefined
  const others = split.rows
    .filter((row) => row.variation !== variation && row.variation !== split.balancing && row.hundredths > 0)
    .map((row) => `${nameOf(row.variation)} has ${formatHundredths(row.hundredths)}%`)
  return `at most ${formatHundredths(limit)}%${others.length > 0 ? `: ${others.join(', ')}` : ''}`
}

/** Returns the text of a share: `33.33`, or `≈ 33.33` where the API has more decimals. */
export function shareText({ hundredths, exact }: SplitRow): string {
  return `${exact === undefined ? '' : '≈ '}${formatHundredths(hundredths)}`
}

/** Creates the form of a distribution of the API. Several shares of one variation are added up. */
export function toSplit(distribution: Distribution): Split {
  const fractions = new Map<string, number>()
  for (const { _variation, percentage } of distribution) {
    fractions.set(_variation, (fractions.get(_variation) ?? 0) + Math.max(0, percentage || 0))
  }
  const variations = [...fractions.keys()]
  const total = [...fractions.values()].reduce((sum, fraction) => sum + fraction, 0)
  const isExact = Math.abs(total - 1) <= TOLERANCE
  const hundredths = deal(total > 0 ? [...fractions.values()] : variations.map(() => 1))
  const rows = variations.map((variation, index): SplitRow => {
    const row = { variation, hundredths: hundredths[index] ?? 0 }
    const fraction = fractions.get(variation) ?? 0
    return isExact && fraction !== toFraction(row.hundredths) ? { ...row, exact: fraction } : row
  })
  const balancing = variations.at(-1) ?? ''
  return { rows, balancing, ...(isExact || rows.length === 0 ? {} : { isScaled: true }) }
}

/** Returns the distribution for the API. Rows that did not change have exactly the shares that the API returned. */
export function toDistribution({ rows }: Split): Distribution {
  return rows.map((row) => ({ _variation: row.variation, percentage: fractionOf(row) }))
}

function setShare(split: Split, variation: string, hundredths: number): Split {
  if (variation === split.balancing || !hasVariation(split, variation) || !Number.isFinite(hundredths)) return split
  const share = Math.min(Math.max(0, Math.round(hundredths)), shareLimit(split, variation))
  return balance({
    ...split,
    rows: split.rows.map((row) => (row.variation === variation ? { variation, hundredths: share } : row))
  })
}

function addVariation(split: Split, variation: string, isOn: boolean): Split {
  if (hasVariation(split, variation) || split.rows.length >= MAX_VARIATIONS) return split
  if (split.rows.length === 0) return serveOne(variation)
  const added = { ...split, rows: [...split.rows, { variation, hundredths: 0 }] }
  return isOn ? added : reduceSplit(added, { type: 'even' })
}

function removeVariation(split: Split, variation: string): Split {
  if (!hasVariation(split, variation) || split.rows.length === 1) return split
  const rows = split.rows.filter((row) => row.variation !== variation)
  const balancing = split.balancing === variation ? (rows.at(-1)?.variation ?? '') : split.balancing
  return balance({ ...split, rows, balancing })
}

/** Gives the balancing row what the others leave. Its fraction makes up for those of rows that did not change. */
function balance(split: Split): Split {
  const others = split.rows.filter(({ variation }) => variation !== split.balancing)
  const hundredths = WHOLE - others.reduce((sum, row) => sum + row.hundredths, 0)
  const isExact = others.every(({ exact }) => exact === undefined)
  const rest = Math.max(0, 1 - others.reduce((sum, row) => sum + fractionOf(row), 0))
  const share = { hundredths, ...(isExact ? {} : { exact: rest }) }
  return {
    ...split,
    rows: split.rows.map(({ variation, ...row }) => ({ variation, ...(variation === split.balancing ? share : row) }))
  }
}

function withHundredths(split: Split, hundredths: readonly number[]): Split {
  return {
    ...split,
    rows: split.rows.map(({ variation }, index) => ({ variation, hundredths: hundredths[index] ?? 0 }))
  }
}

/** Deals 10,000 in proportion to the weights, by largest remainder; the first of equal remainders gets more. */
function deal(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const quotas = weights.map((weight) => (weight / total) * WHOLE)
  // A quota such as 3499.9999999999995 is 3500: the error of a division must not move a hundredth.
  const dealt = quotas.map((quota) => Math.floor(quota + 1e-7))
  const order = quotas
    .map((quota, index) => ({ index, remainder: quota - (dealt[index] ?? 0) }))
    .sort((one, other) => (Math.abs(one.remainder - other.remainder) < 1e-7 ? 0 : other.remainder - one.remainder))
  const left = WHOLE - dealt.reduce((sum, share) => sum + share, 0)
  for (const { index } of order.slice(0, Math.max(0, left))) dealt[index] = (dealt[index] ?? 0) + 1
  return dealt
}

function fractionOf({ hundredths, exact }: SplitRow): number {
  return exact ?? toFraction(hundredths)
}

function hasVariation({ rows }: Split, variation: string): boolean {
  return rows.some((row) => row.variation === variation)
}
