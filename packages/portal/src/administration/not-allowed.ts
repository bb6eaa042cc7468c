import type { Failure } from '@gatehouse/sign-in'
import type { Problem } from '../actions/action-state.ts'
import { administrationTexts } from '../messages/current.ts'

/** The problem of a user who is no longer an administrator. */
export const notAllowed = ({ status, code }: Failure): Problem | undefined =>
  status === 403 && code === undefined ? { at: 'page', message: administrationTexts.notAllowed } : undefined
