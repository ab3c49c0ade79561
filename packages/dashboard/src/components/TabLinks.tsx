import { Link, type LinkComponent, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './TabLinks.module.css'

/** A tab, which is current on its page and those below it. The chosen environment stays. */
export const TabLink: LinkComponent<'a'> = (props) => (
  <Link
    search={({ env }: { env?: string }) => (env ? { env } : {})}
    activeOptions={{ includeSearch: false }}
    className={styles.tab}
    activeProps={{ 'aria-current': 'page' }}
    {...props}
  />
)

interface Props {
  readonly label: string
  readonly children: ReactNode
}

/** The pages of one thing. They are links, so that each has an address. */
export function TabLinks({ label, children }: Props) {
  const list = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // Narrow windows cut the tabs off: the current one is scrolled to, also when the window becomes narrower, and the
  // page stays where it is. An observer reports first when it begins.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address decides which tab is the current one.
  useEffect(() => {
    const element = list.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const current = element.querySelector<HTMLElement>('[aria-current]')
      if (current) element.scrollLeft = current.offsetLeft - element.offsetWidth / 3
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [pathname])
  return (
    <nav ref={list} aria-label={label} className={styles.tabs}>
      {children}
    </nav>
  )
}
