import { z } from 'zod'
import { feature } from '../examples/checkout.ts'
import { ids, project } from '../examples/shop.ts'

/** The content of the opt-in page for one user. */
export const OptInConfig = z
  .object({
    settings: z.object({
      _project: z.string(),
      enabled: z.boolean(),
      title: z.string(),
      description: z.string(),
      imageURL: z.string(),
      colors: z.object({ primary: z.string(), secondary: z.string() }),
      poweredByAlignment: z.enum(['left', 'center', 'right', 'hidden'])
    }),
    features: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        resolution: z.enum(['explicit', 'implicit']).meta({ description: 'Whether the user made a choice.' }),
        status: z.boolean().meta({ description: 'Whether the user has opted in.' })
      })
    )
  })
  .meta({
    id: 'OptInConfig',
    example: {
      settings: {
        _project: ids.project,
        ...project.settings.optIn,
        description: 'Try new features early.',
        imageURL: '',
        colors: { primary: '#1d4ed8', secondary: '#ffffff' },
        poweredByAlignment: 'center'
      },
      features: [
        {
          id: ids.feature,
          name: feature.settings.publicName,
          description: feature.settings.publicDescription,
          resolution: 'explicit',
          status: true
        }
      ]
    }
  })
export type OptInConfig = z.infer<typeof OptInConfig>

/** Whether the user opts in, by feature id. */
export const OptInChoices = z
  .record(z.string(), z.boolean())
  .meta({ id: 'OptInChoices', example: { [ids.feature]: true } })
export type OptInChoices = z.infer<typeof OptInChoices>
