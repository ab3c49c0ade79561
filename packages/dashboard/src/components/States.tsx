import { ApiError } from '@burgee/contract/client'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { NoResponse } from '../api/query.ts'
import { Button } from './Button.tsx'
import styles from './States.module.css'

/** Lines of the final height while data loads, after 150 ms. */
export function Skeleton({ rows = 3, height = 56 }: { readonly rows?: number; readonly height?: number }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-busy="true" className={styles.skeleton}>
      <span className="visually-hidden" role="status">
        {isShown ? 'Loading' : ''}
      </span>
      {isShown &&
        Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike.
          <div key={row} className={styles.bone} style={{ blockSize: height - 16 }} />
        ))}
    </div>
  )
}

interface EmptyProps {
  /** What would be here, in one sentence. */
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** The message of a page that has nothing to show. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <svg viewBox="0 0 64 40" className={styles.emptyMark} aria-hidden="true">
        <path d="M4 4v32M8 6l50 6-14 8 14 8-50 6z" />
      </svg>
      <p className={styles.emptyTitle}>{title}</p>
      {children && <div className={styles.emptyBody}>{children}</div>}
      {action && <div>{action}</div>}
    </div>
  )
}

/** The message of an error: the server's, or that there is no response. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) {
    const { detail = `The server responded with status ${error.status}.` } = error
    // The message names a missing item twice, because some clients parse the first half.
    const [, sentence = detail] = /^Item with key '.*?' not found: (.+)$/s.exec(detail) ?? []
    return sentence.charAt(0).toUpperCase() + sentence.slice(1).replace(/(?<![.!?])$/, '.')
  }
  return 'The server is not responding.'
}

/** The request that failed, with its id in the log of the server; undefined if the error is not about a request. */
function requestOf(error: unknown): string | undefined {
  if (error instanceof NoResponse) return error.operation
  if (error instanceof ApiError) return [error.operation, error.requestId].filter(Boolean).join(', ')
  // Each browser has its own words for it.
  return /import|module|preload/i.test(String(error)) ? 'code of the page' : undefined
}

/** Whether an error says that something does not exist, so that trying again is of no use. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

interface ErrorProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** What was attempted, for example "Features could not be loaded". */
  readonly title?: string
}

/** Which request failed, why, and a way to retry it. */
export function ErrorBanner({ error, onRetry, title }: ErrorProps) {
  const request = requestOf(error)
  return (
    <div role="alert" className={styles.error}>
      <div>
        {title && <strong>{title}. </strong>}
        {describeError(error)}
        {request !== undefined && <span className={styles.operation}> Request: {request}.</span>}
      </div>
      {onRetry && !isMissing(error) && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly title: string
  readonly skeleton?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** The states of a read: loading, failed, there. What is there stays while newer data loads. */
export function Loaded<Data>({ query, title, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <ErrorBanner error={query.error} onRetry={() => void query.refetch()} title={title} />}
        {children(query.data)}
      </>
    )
  }
  if (query.isError) return <ErrorBanner error={query.error} onRetry={() => void query.refetch()} title={title} />
  return skeleton ?? <Skeleton />
}

/** A message across the page that stays. */
export function Banner({
  tone = 'waiting',
  children
}: {
  readonly tone?: 'waiting' | 'danger' | 'brand' | 'protected'
  readonly children: ReactNode
}) {
  return <div className={`${styles.banner} ${styles[tone]}`}>{children}</div>
}
