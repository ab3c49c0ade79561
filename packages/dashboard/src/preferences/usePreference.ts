import { useSyncExternalStore } from 'react'
import type { Preference } from './preferences.ts'

/** The chosen value of a preference, and a function that chooses another. */
export function usePreference<Value extends string>({
  read,
  choose,
  subscribe
}: Preference<Value>): readonly [Value, (value: Value) => void] {
  return [useSyncExternalStore(subscribe, read), choose]
}
