import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { busyApps } from './load-events.ts';
import type { NewConversion, NewPush } from '@switchyard/traffic-store/delivery-store';

/** A push of a random app, ready to be stored. */
export function newPush(at: Microseconds): NewPush {
  const isSent = Math.random() < 0.9;
  return {
    uuid: randomUUIDv7(),
    appId: 1 + Math.floor(busyApps * Math.random() ** 2),
    pushId: `p-${randomBytes(4).toString('hex')}`,
    name: 'Welcome',
    message: JSON.stringify({ notification: { title: 'Hello', body: randomBytes(16).toString('hex') } }),
    uid: `u-${randomBytes(4).toString('hex')}`,
    clientUid: `c-${randomBytes(4).toString('hex')}`,
    campaignUid: `pc-${Math.floor(Math.random() * 40)}`,
    sendAt: at,
    status: isSent ? 'sent' : 'error',
    error: isSent ? null : 'NotRegistered',
    updatedAt: at,
  };
}

/** The push as a traffic server sends it. */
export function wirePush(at: Microseconds) {
  const push = newPush(at);
  return {
    id: push.uuid,
    app_id: push.appId,
    push_id: push.pushId,
    push_name: push.name,
    push_message: push.message,
    uid: push.uid,
    client_uid: push.clientUid,
    push_campaign_uid: push.campaignUid,
    send_at: wireTime(at),
    status: push.status,
    error: push.error,
    updated_at: wireTime(at),
  };
}

/** A conversion of a random app, ready to be stored. */
export function newConversion(at: Microseconds): NewConversion {
  const appId = 1 + Math.floor(busyApps * Math.random() ** 2);
  return {
    uuid: randomUUIDv7(),
    appId,
    source: 'appsflyer',
    clientUid: `c-${randomBytes(4).toString('hex')}`,
    streamUid: `st_${appId}_${1 + Math.floor(Math.random() * 5)}`,
    clickId: randomBytes(16).toString('hex'),
    receiveApfUid: null,
    appInstanceId: null,
    statusConversion: Math.random() < 0.7 ? 'install' : 'deposit',
    payout: (Math.random() * 100).toFixed(2),
    status: 'success',
    error: null,
    isSend: Math.random() < 0.6,
    isQa: false,
    createdAt: at,
  };
}

/** The conversion as a traffic server sends it. */
export function wireConversion(at: Microseconds) {
  const conversion = newConversion(at);
  return {
    id: conversion.uuid,
    app_id: conversion.appId,
    source: conversion.source,
    client_uid: conversion.clientUid,
    stream_uid: conversion.streamUid,
    click_id: conversion.clickId,
    status_conversion: conversion.statusConversion,
    payout: conversion.payout,
    status: conversion.status,
    is_send: conversion.isSend,
    created_at: wireTime(at),
  };
}

function wireTime(at: Microseconds): string {
  return `${formatMicroseconds(at).replace(' ', 'T')}Z`;
}
