import type { ReactNode } from 'react'

interface Props {
  /** The file below `docs/`, for example `guides/approvals.md`, with a fragment if one fits. */
  readonly page: string
  /** Default: "Documentation". */
  readonly children?: ReactNode
}

/** A link to a page of the documentation that this server serves. It opens beside, so that a draft stays. */
export function DocsLink({ page, children = 'Documentation' }: Props) {
  return (
    <a href={`/docs/${page}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
