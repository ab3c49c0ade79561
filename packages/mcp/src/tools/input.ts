import { operations } from '@burgee/contract'
import { Pagination } from '@burgee/contract/schemas'
import { z } from 'zod'

const { shape: inProject } = operations.listFeatures.params

/** Which project a call is about; the last parameter of every tool that takes it. */
export const projectKey = {
  projectKey: inProject.project.optional().meta({ description: 'Wins over the selected project.' })
} as const

const { search, page, perPage, sortBy, sortOrder } = Pagination.shape

/** Which part of a list a call is about, and in which order; the first parameters of a tool that lists. */
export const ofList = { search, page, perPage, sortBy, sortOrder } as const

/** The parameters of a tool: members of the contract's records, under the names of specification 3. */
export function input<const Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape)
}
