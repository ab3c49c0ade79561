/** What a tool returns: data, or Markdown. */
export type ToolOutput = DataOutput | MarkdownOutput

export interface DataOutput {
  readonly result: unknown
  /** The page of the dashboard that shows the result, below the dashboard's origin. */
  readonly dashboardPage?: string
  /** Of a list: which page this is, and how many items there are in total. */
  readonly page?: { readonly total?: number; readonly page: number; readonly perPage: number }
}

/** A guide for the assistant to follow. */
export interface MarkdownOutput {
  readonly markdown: string
}
