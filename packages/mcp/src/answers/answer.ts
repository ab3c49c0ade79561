/** What a tool answers: a result as data, or a guide as it is read. */
export type Answer = Result | Guide

/** A result as data. */
export interface Result {
  readonly result: unknown
  /** The page of the dashboard that shows it, below the dashboard's origin. */
  readonly dashboardPage?: string
  /** Of a list: which of how many items it has. */
  readonly paging?: { readonly total?: number; readonly page: number; readonly perPage: number }
}

/** Markdown for the assistant to follow. */
export interface Guide {
  readonly markdown: string
}
