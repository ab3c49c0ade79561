import { z } from 'zod'

/** Creates a discriminated union whose error names the allowed values of the discriminator. */
export function discriminatedUnion<
  Discriminator extends string,
  const Shapes extends Parameters<typeof z.discriminatedUnion>[1]
>(discriminator: Discriminator, shapes: Shapes): z.ZodDiscriminatedUnion<Shapes, Discriminator> {
  return z.discriminatedUnion<Shapes, Discriminator>(discriminator, shapes, {
    error: ({ code, options }) =>
      code === 'invalid_union' && Array.isArray(options)
        ? `should be one of ${options.filter((option) => option !== undefined).join(', ')}`
        : undefined
  })
}
