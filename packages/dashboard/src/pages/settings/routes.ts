import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazyPage.ts'
import { project } from '../../parents.ts'

// One chunk for all tabs: each is small, and the names of chunks count for the first load.
const SettingsPage = lazyPage(() => import('./SettingsPage.tsx'), 'SettingsPage')

const general = createRoute({ getParentRoute: () => project, path: 'settings', component: SettingsPage })

const section = createRoute({ getParentRoute: () => project, path: 'settings/$section', component: SettingsPage })

export const projectSettingsRoutes = [general, section] as const
