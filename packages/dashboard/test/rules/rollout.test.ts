import { type Rollout, RolloutInput } from '@burgee/contract/schemas'
import { compile } from '@burgee/core'
import { checkout } from '@burgee/core/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addStep,
  curveRange,
  presetRollout,
  type RolloutDraft,
  removeStep,
  rolloutCurve,
  rolloutPresets,
  rolloutProblems,
  rolloutRows,
  shareAt,
  toRollout,
  toRolloutDraft,
  updateStep,
  withForm
} from '../../src/rules/rollout.ts'
