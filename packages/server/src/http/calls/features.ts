import { routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import { bind } from '../bind.ts'

export const addFeaturesCall = (app: FastifyInstance) => {
  bind(app, routes.featuresCheck, async ({ name }) => {
    const features = availableFeatures(app)
    return name === undefined ? { features } : features[name] === true
  })
}

/** A feature is available if this server has a route for its call. */
const availableFeatures = (app: FastifyInstance): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(callOf).map(([feature, path]) => [
      feature,
      app.hasRoute({ method: 'POST', url: `${app.prefix}${path}`, constraints: {} }),
    ]),
  )

const callOf = {
  passwordSignIn: routes.getAuthTokenWithError.path,
  secondFactor: routes.verifyOTP.path,
  recoveryCodes: routes.recoveryCode.path,
  passwordReset: routes.sendPasswordResetEmail.path,
  oneTimeLink: routes.magiclinkSend.path,
  logoutByUserId: routes.logoutByUserId.path,
}
