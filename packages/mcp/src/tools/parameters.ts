import { operations } from '@burgee/contract'
import { DEFAULT_PER_PAGE, Pagination } from '@burgee/contract/schemas'
import { z } from 'zod'
import type { DataOutput } from '../results/toolOutput.ts'

const { shape: inProject } = operations.listFeatures.params

/** The project of a call; the last parameter of every tool that has it. */
export const projectKey = {
  projectKey: inProject.project.optional().meta({ description: 'Default: the selected.' })
} as const

const { search, page, perPage, sortBy, sortOrder } = Pagination.shape

/** The first parameters of tools that list. */
export const listParameters = { search, page, perPage, sortBy, sortOrder } as const

/** Declares the parameters of a tool: members of the contract's records, under the names of docs/reference/tools.md. */
export function parameters<const Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape)
}

/** Returns the page of a list for its output. */
export function pageInfo(
  {
    page = 1,
    perPage = DEFAULT_PER_PAGE
  }: { readonly page?: number | undefined; readonly perPage?: number | undefined },
  total: number | undefined
): NonNullable<DataOutput['page']> {
  return { ...(total === undefined ? {} : { total }), page, perPage }
}
