import { operations } from '@burgee/contract'
import { z } from 'zod'
import { cleanupGuide } from '../guides/cleanupGuide.ts'
import { installGuide } from '../guides/installGuide.ts'
import { installGuideIds } from '../guides/installGuides.ts'
import { tool } from '../tool.ts'
import { parameters } from './parameters.ts'

export const installServiceSdk = tool({
  name: 'install_service_sdk',
  title: 'Install an SDK',
  category: 'install',
  description: 'Instructions to install an SDK: choose and follow the guide for the language and framework.',
  access: 'reads',
  permissions: [],
  input: parameters({ guide: z.enum(installGuideIds) }),
  run: async ({ guide }, call) => ({ markdown: await installGuide(guide, call) })
})

export const cleanupFeature = tool({
  name: 'cleanup_feature',
  title: 'Clean up a feature flag',
  category: 'features',
  description: 'Instructions to remove a completed feature from code, with the facts about it.',
  access: 'reads',
  permissions: ['feature:read', 'environment:read', 'project:read'],
  input: parameters({ featureKey: operations.getFeature.params.shape.feature }),
  run: async ({ featureKey }, call) => ({ markdown: await cleanupGuide(featureKey, call) })
})
