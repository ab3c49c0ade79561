import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api/query.ts'
import { type KeyType, newestKey } from './sdkKeys.ts'

interface KeyPlace {
  readonly project: string
  /** The key of the environment. */
  readonly environment: string
  readonly type: KeyType
}

/**
 * The newest key of a type, which is read when a person shows or copies it: the access log records each response with
 * keys as a secret that was shown. A shown key is read again after a change, which may have revoked it.
 */
export function useSdkKey({ project, environment, type }: KeyPlace) {
  const client = useQueryClient()
  const [shownPlace, setShownPlace] = useState<string>()
  const place = [project, environment, type].join('/')
  const isWanted = shownPlace === place
  const request = { params: { project, key: environment }, query: { includeSdkKeys: 'true' } }
  // Only a change makes the response stale.
  const reading = { ...read('getEnvironment', request), staleTime: Number.POSITIVE_INFINITY }
  const { data, error } = useQuery({ ...reading, enabled: isWanted })
  const sdkKey = newestKey(data?.sdkKeys, type, Date.now())
  return {
    /** Reads the key; `undefined` if there is none that the person can see. */
    readKey: async () => newestKey((await client.fetchQuery(reading)).sdkKeys, type, Date.now()),
    isShown: isWanted && sdkKey !== undefined,
    toggle: () => setShownPlace(isWanted ? undefined : place),
    sdkKey,
    isMissing: data !== undefined && sdkKey === undefined,
    error
  }
}
