/** The output of a tool: data, or Markdown. */
export type ToolOutput = DataOutput | MarkdownOutput

export interface DataOutput {
  readonly result: unknown
  /** The page of the dashboard that shows the result, below the dashboard's origin. */
  readonly dashboardPage?: string
  /** For lists: the page, and the total number of items. */
  readonly page?: { readonly total?: number; readonly page: number; readonly perPage: number }
}

/** A guide for the assistant to follow. */
export interface MarkdownOutput {
  readonly markdown: string
}
