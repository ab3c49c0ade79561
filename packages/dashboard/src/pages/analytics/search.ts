export const periods = ['hour', 'day', 'month'] as const
export const sdkTypes = ['client', 'server', 'mobile', 'api'] as const
export const counts = ['evaluations', 'users'] as const

/** What the page counts; absent members have their default. */
export interface AnalyticsSearch {
  readonly period?: (typeof periods)[number]
  readonly sdk?: (typeof sdkTypes)[number]
  readonly count?: (typeof counts)[number]
}

/** Reads the choices of the address. Ignores what it does not know. */
export function readAnalyticsSearch({ period, sdk, count }: Record<string, unknown>): AnalyticsSearch {
  const [knownPeriod, knownSdk, knownCount] = [oneOf(periods, period), oneOf(sdkTypes, sdk), oneOf(counts, count)]
  return {
    ...(knownPeriod ? { period: knownPeriod } : {}),
    ...(knownSdk ? { sdk: knownSdk } : {}),
    ...(knownCount ? { count: knownCount } : {})
  }
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((candidate) => candidate === value)
}
