const sdkTypes = ['client', 'server', 'mobile', 'api'] as const

/** What the address of the page selects; absent members have their default. */
export interface ResultsSearch {
  /** The key of the only metric to show. */
  readonly metric?: string
  /** The first day, as 2026-03-01 in UTC. */
  readonly from?: string
  /** The last day, included. Absent: today. */
  readonly to?: string
  /** The key of the variation to compare with. Absent: the control of the feature. */
  readonly control?: string
  readonly sdk?: (typeof sdkTypes)[number]
  readonly platform?: string
  readonly audience?: string
  /** The relative difference that the number of needed users is about, in percent. */
  readonly effect?: number
}

/** Reads the choices from the address. Ignores unknown members and values. */
export function readResultsSearch(search: Record<string, unknown>): ResultsSearch {
  const sdk = sdkTypes.find((candidate) => candidate === search.sdk)
  const effect = Number(search.effect)
  const texts = (['metric', 'from', 'to', 'control', 'platform', 'audience'] as const).flatMap((name) => {
    const value = search[name]
    // The router parses `platform=7` as a number.
    return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : []
  })
  return {
    ...Object.fromEntries(texts),
    ...(sdk ? { sdk } : {}),
    ...(effect > 0 && effect <= 1000 ? { effect } : {})
  }
}
