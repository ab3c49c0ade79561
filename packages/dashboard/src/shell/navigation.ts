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

/** An entry of the rail. */
interface NavigationEntry {
  readonly title: string
  readonly to: `/o/$org/p/$project${string}`
  readonly icon: LucideIcon
  /** The key that opens it after `g`. Without one, the first letter of the title that is free. */
  readonly letter?: string
  /** Whether phones show it in the bar at the bottom. */
  readonly isOnPhones?: true
  /** The number of items that need attention there. */
  readonly Count?: ComponentType
}

/** The pages of a project, in the order of the rail. */
export const navigation = [
  { title: 'Home', to: '/o/$org/p/$project', icon: House },
  { title: 'Features', to: '/o/$org/p/$project/features', icon: Flag, isOnPhones: true },
  {
    title: 'Requests',
    to: '/o/$org/p/$project/change-requests',
    icon: GitPullRequest,
    // As in "change requests".
    letter: 'c',
    isOnPhones: true,
    Count: InboxCount
  },
  { title: 'Explain', to: '/o/$org/p/$project/explain', icon: Route, isOnPhones: true },
  { title: 'Audiences', to: '/o/$org/p/$project/audiences', icon: Users },
  { title: 'Variables', to: '/o/$org/p/$project/variables', icon: Braces },
  { title: 'Custom properties', to: '/o/$org/p/$project/custom-properties', icon: UserRound },
  { title: 'Metrics', to: '/o/$org/p/$project/metrics', icon: Target },
  { title: 'Stale features', to: '/o/$org/p/$project/stale', icon: Hourglass },
  { title: 'Environments', to: '/o/$org/p/$project/environments', icon: KeyRound },
  { title: 'Webhooks', to: '/o/$org/p/$project/webhooks', icon: Webhook },
  { title: 'Analytics', to: '/o/$org/p/$project/analytics', icon: ChartLine },
  { title: 'History', to: '/o/$org/p/$project/audit-log', icon: History },
  { title: 'Settings', to: '/o/$org/p/$project/settings', icon: Settings }
] as const satisfies readonly NavigationEntry[]
