import {
  Braces,
  ChartLine,
  Flag,
  GitPullRequest,
  History,
  Hourglass,
  House,
  KeyRound,
  type LucideIcon,
  Route,
  Settings,
  Target,
  UserRound,
  Users,
  Webhook
} from 'lucide-react'
import type { ComponentType } from 'react'
import { InboxCount } from './InboxCount.tsx'

/** An entry of the rail. Its address is below the project's; empty for the project's own page. */
export interface NavigationEntry {
  readonly title: string
  readonly path: string
  readonly icon: LucideIcon
  /** Whether phones show it in the bar at the bottom. */
  readonly isOnPhones?: true
  /** How many things wait there. */
  readonly Count?: ComponentType
}

/** The pages of a project, in the order of the rail. */
export const navigation: readonly NavigationEntry[] = [
  { title: 'Home', path: '', icon: House },
  { title: 'Features', path: 'features', icon: Flag, isOnPhones: true },
  { title: 'Requests', path: 'change-requests', icon: GitPullRequest, isOnPhones: true, Count: InboxCount },
  { title: 'Explain', path: 'explain', icon: Route, isOnPhones: true },
  { title: 'Audiences', path: 'audiences', icon: Users },
  { title: 'Variables', path: 'variables', icon: Braces },
  { title: 'Custom properties', path: 'custom-properties', icon: UserRound },
  { title: 'Metrics', path: 'metrics', icon: Target },
  { title: 'Stale features', path: 'stale', icon: Hourglass },
  { title: 'Environments', path: 'environments', icon: KeyRound },
  { title: 'Webhooks', path: 'webhooks', icon: Webhook },
  { title: 'Analytics', path: 'analytics', icon: ChartLine },
  { title: 'History', path: 'audit-log', icon: History },
  { title: 'Settings', path: 'settings', icon: Settings }
]
