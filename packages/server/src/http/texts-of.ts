import type { FastifyRequest } from 'fastify'
import type { PageTexts } from '../texts/page-texts.ts'

/** The texts of the page that answers a request. Look up the session first: the user may have chosen a language. */
export type TextsOf = (request: FastifyRequest) => PageTexts
