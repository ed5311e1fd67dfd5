#!/bin/sh
# Makes the folder $1 with Debian the root of these namespaces, and its systemd process 1 of them.
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mkdir -p mnt/before
pivot_root . mnt/before
exec chroot . sh -c 'umount -l /mnt/before && exec env -i container=lxc PATH=/usr/sbin:/usr/bin /sbin/init'
