import { Flag, History, type LucideIcon } from 'lucide-react'

/** An entry of the rail. Its address is below the project's. */
export interface NavigationEntry {
  readonly title: string
  readonly path: string
  readonly icon: LucideIcon
  /** Whether phones show it in the bar at the bottom. */
  readonly isOnPhones?: true
}

/** The pages of a project, in the order of the rail. */
export const navigation: readonly NavigationEntry[] = [
  { title: 'Features', path: 'features', icon: Flag, isOnPhones: true },
  { title: 'History', path: 'audit-log', icon: History }
]
