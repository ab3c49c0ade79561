import type { Feature } from '@burgee/contract/schemas'
import { useMemo } from 'react'
import { useRead } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { shownTimeZone } from '../../preferences/preferences.ts'
import type { DiffContext } from './model.ts'

/**
 * The names that a diff needs: those of the project and of the feature, if there are any. Ids stand in until they are
 * read.
 */
export function useDiffContext(project: string | undefined, feature?: Feature): DiffContext {
  const params = { project: project ?? '' }
  const enabled = project !== undefined
  const environments = useEnvironments(project).data
  const audiences = useRead('listAudiences', { params, query: { perPage: 1000 } }, { enabled }).data
  const properties = useRead('listCustomProperties', { params, query: { perPage: 1000 } }, { enabled }).data
  return useMemo(
    () => ({
      now: Date.now(),
      locale: 'en-GB',
      timeZone: shownTimeZone(),
      environments: new Map(environments?.map(({ _id, name }) => [_id, name])),
      audiences: namesOf(audiences),
      customProperties: new Map(properties?.map(({ propertyKey, name }) => [propertyKey, name])),
      variations: namesOf(feature?.variations),
      variables: new Map(feature?.variables.map(({ _id, key }) => [_id, key])),
      targets: new Map(
        feature?.configurations?.flatMap(({ targets }) => targets.map(({ _id, name }) => [_id, name ?? _id]))
      )
    }),
    [environments, audiences, properties, feature]
  )
}

interface Named {
  readonly _id: string
  readonly key?: string | undefined
  readonly name?: string | undefined
}

function namesOf(items: readonly Named[] | undefined): ReadonlyMap<string, string> {
  return new Map(
    items?.flatMap(({ _id, key, name }) => {
      const title = name ?? key ?? _id
      return [[_id, title] as const, ...(key === undefined ? [] : [[key, title] as const])]
    })
  )
}
