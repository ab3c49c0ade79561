import { Link, Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { BookOpen, Building2, Menu as MenuIcon } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useChanges } from '../api/changes.ts'
import { useSession } from '../api/session.ts'
import { LazyDialog } from '../components/LazyDialog.tsx'
import { preloadMenus } from '../components/Menu.tsx'
import { lazyPart } from '../lazyPage.ts'
import { rememberProject } from '../preferences/preferences.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { announceWatched } from './announceWatched.ts'
import { ConnectionStrip } from './ConnectionStrip.tsx'
import { EnvironmentPicker } from './EnvironmentPicker.tsx'
import { navigation } from './navigation.ts'
import { organizationPages } from './OrganizationTabs.tsx'
import { ProjectSwitch } from './ProjectSwitch.tsx'
import styles from './Shell.module.css'
import { ShortcutKeys } from './ShortcutKeys.tsx'

// The first page does not wait for code that it does not need.
const SignedOut = lazyPart(() => import('./SignedOut.tsx').then((module) => module.SignedOut))
const SecretDialogs = lazyPart(() =>
  import('../components/access/SecretDialog.tsx').then((module) => module.SecretDialogs)
)

/** The frame of every page: the rail, the top bar, and on phones the bar at the bottom. */
export function Shell() {
  const { org, project } = useParams({ strict: false })
  const navigate = useNavigate()
  const { organization, user } = useSession()
  const [isMoreOpen, setMoreOpen] = useState(false)
  useChanges(project, (change) => announceWatched(change, user.id))
  // Some browsers have no idle callbacks: menus load there when a pointer or the focus is on their button.
  useEffect(() => void globalThis.requestIdleCallback?.(preloadMenus), [])
  useEffect(() => {
    if (project !== undefined) rememberProject(project)
  }, [project])
  // Links of other programs may name the organization in another way, or not at all.
  useEffect(() => {
    if (org === undefined || org === organization.id) return
    const params = (previous: object) => ({ ...previous, org: organization.id })
    void navigate({ to: '.', params: params as never, search: true, replace: true })
  }, [org, organization.id, navigate])
  return (
    <div className={styles.shell}>
      <a href="#page" className={styles.skip}>
        Skip to content
      </a>
      <nav className={styles.rail} aria-label="Main">
        <Link to="/" className={styles.logo}>
          <Logo />
          Burgee
        </Link>
        <ProjectSwitch project={project} />
        {project !== undefined && <RailEntries org={organization.id} project={project} />}
        <OrganizationEntry org={organization.id} />
      </nav>
      <header className={styles.top}>
        <div className={styles.topStart}>
          <span className={styles.onPhones}>
            <ProjectSwitch project={project} />
          </span>
          {project !== undefined && <EnvironmentPicker project={project} />}
        </div>
        <Suspense fallback={null}>
          <AccountMenu />
        </Suspense>
      </header>
      <div className={styles.strip}>
        <Suspense fallback={null}>
          <ConnectionStrip />
          <SignedOut />
        </Suspense>
      </div>
      <main id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
      {project !== undefined && (
        <nav data-actions className={styles.bar} aria-label="Main, on phones">
          <RailEntries
            org={organization.id}
            project={project}
            entries={navigation.filter((entry) => 'isOnPhones' in entry)}
          />
          <button type="button" className={styles.entry} onClick={() => setMoreOpen(true)}>
            <MenuIcon size={18} aria-hidden="true" />
            More
          </button>
          <LazyDialog isOpen={isMoreOpen} onClose={() => setMoreOpen(false)} title="More" shape="sheet">
            {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a link inside closes the sheet. */}
            <div className={styles.more} onClick={() => setMoreOpen(false)}>
              <RailEntries org={organization.id} project={project} />
              <OrganizationEntry org={organization.id} />
            </div>
          </LazyDialog>
        </nav>
      )}
      <ShortcutKeys org={organization.id} project={project} />
      <Suspense fallback={null}>
        <SecretDialogs />
      </Suspense>
    </div>
  )
}

/** Links to the pages of the organization, and to the documentation of this server. */
function OrganizationEntry({ org }: { readonly org: string }) {
  const { pathname } = useLocation()
  const isCurrent = organizationPages.some(({ to }) => pathname.startsWith(to.replace('$org', org)))
  return (
    <div className={styles.organization}>
      <Link
        to={organizationPages[0].to}
        params={{ org }}
        className={styles.entry}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <Building2 size={18} aria-hidden="true" />
        Organization
      </Link>
      <a href="/docs" target="_blank" rel="noreferrer" className={styles.entry}>
        <BookOpen size={18} aria-hidden="true" />
        API and guides
      </a>
    </div>
  )
}

interface EntriesProps {
  readonly org: string
  readonly project: string
  readonly entries?: readonly (typeof navigation)[number][]
}

function RailEntries({ org, project, entries = navigation }: EntriesProps) {
  // A change request of a feature belongs to Requests, and stands below the address of the feature.
  const isRequest = useParams({ strict: false }).request !== undefined
  return (
    <ul className={styles.entries}>
      {entries.map(({ title, to, icon: Icon, ...entry }) => (
        <li key={to}>
          <Link
            to={to}
            params={{ org, project }}
            activeOptions={{ exact: isRequest || to === '/o/$org/p/$project', includeSearch: false }}
            className={styles.entry}
            aria-current={isRequest && to === '/o/$org/p/$project/change-requests' ? 'page' : undefined}
          >
            <Icon size={18} aria-hidden="true" />
            {title}
            {'Count' in entry && (
              <span className={styles.count}>
                <entry.Count />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The burgee: a swallow-tailed pennant at its hoist. */
function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" fill="var(--brand)" aria-hidden="true">
      <path d="M4 3h2.5v26H4zM8 5l21 2.6-7 6.4 7 6.4L8 23z" />
    </svg>
  )
}
