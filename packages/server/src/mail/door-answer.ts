import type { DoorTexts } from '../texts/door-texts.ts'

/** What the open-door alarm saw, for people. An attacker may choose parts of `detail`. */
export const answerText = (
  { status, detail }: { status: number | null; detail: string | null },
  { answer }: Pick<DoorTexts, 'answer'>,
): string => {
  if (status === null) return detail === null ? answer.noneUnknown : answer.none(detail)
  return detail === null ? answer.status(String(status)) : answer.redirect(String(status), detail)
}
