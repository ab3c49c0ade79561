import { useMemo } from 'react'
import { watchedFeatures } from '../../preferences/preferences.ts'
import { usePreference } from '../../preferences/usePreference.ts'

/** The ids of the features that this browser watches, and a function that adds or removes one. */
export function useWatched(): readonly [ReadonlySet<string>, (feature: string) => void] {
  const [text, choose] = usePreference(watchedFeatures)
  const watched = useMemo(() => readWatched(text), [text])
  const toggle = (feature: string) => {
    const next = new Set(watched)
    if (!next.delete(feature)) next.add(feature)
    choose([...next].join(','))
  }
  return [watched, toggle]
}

/** The ids that are stored now, for code outside of components. */
export function readWatched(text = watchedFeatures.read()): ReadonlySet<string> {
  return new Set(text.split(',').filter(Boolean))
}
