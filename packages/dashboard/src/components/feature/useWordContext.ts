import type { Feature } from '@burgee/contract/schemas'
import type { WordContext } from '@burgee/contract/words'
import { useRead } from '../../api/query.ts'
import { shownTimeZone } from '../../preferences/preferences.ts'

/** The names that the sentences about a feature need: of its variations, and of the project's audiences and properties. */
export function useWordContext(project: string, feature: Feature): WordContext {
  const settings = useRead('getProject', { params: { key: project } }).data?.settings
  const audiences = useRead('listAudiences', { params: { project }, query: { perPage: 1000 } }).data ?? []
  const properties = useRead('listCustomProperties', { params: { project }, query: { perPage: 1000 } }).data ?? []
  return {
    now: Date.now(),
    locale: 'en-GB',
    timeZone: shownTimeZone(),
    variations: variationNames(feature),
    audiences: new Map(
      audiences.flatMap(({ _id, key, name = key ?? _id }) => [
        [_id, name],
        [key ?? _id, name]
      ])
    ),
    customProperties: new Map(properties.map(({ propertyKey, name }) => [propertyKey, name])),
    disablePassthroughRollouts: settings?.disablePassthroughRollouts ?? false
  }
}

/** Names of the variations of a feature by id and key. */
export function variationNames({ variations }: Feature): ReadonlyMap<string, string> {
  return new Map(
    variations.flatMap(({ _id, key, name }) => [
      [_id, name],
      [key, name]
    ])
  )
}
